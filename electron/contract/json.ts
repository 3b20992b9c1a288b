/** A JSON value as a service sent it. Never trusted, never thrown away. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

/** `groupId`, `GroupId` and `group_id` are one name of a member (the specification spells version 1 with capitals, version 2 without). */
export const foldedName = (name: string): string => name.replace(/[_-]/g, '').toLowerCase()
