import type { Plugin } from 'vite'

export function packageFolderOf(moduleId: string): string | null
export function shippedFolders(root: string): string[]
export function packagesFile(root: string): string
export function noticesOf(root: string, folders: readonly string[]): string
export function thirdPartyNotices(root: string): {
  readonly collect: () => Plugin
  readonly write: () => Plugin
}
