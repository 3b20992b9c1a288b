/** A JSON value as a service sent it. Never trusted, always stored as received. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * `groupId`, `GroupId` and `group_id` are the same member name (the specification writes version 1 with
 * capitals, version 2 without).
 */
export const foldedName = (name: string): string => name.replace(/[_-]/g, '').toLowerCase()
