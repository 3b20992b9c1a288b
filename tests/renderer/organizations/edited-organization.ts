import type { OrganizationDraft } from '../../../electron/contract/api/organizations.ts'
import { settle } from '../core.ts'
import { openPage, type OpenedPage } from '../page.ts'

/** The page with the form of the current organization open. `save` submits it. */
export async function editing(): Promise<OpenedPage & { readonly save: () => Promise<void> }> {
  const opened = await openPage('/organizations')
  await opened.button('Edit').trigger('click')
  await settle()
  const save = async (): Promise<void> => {
    document.querySelector('#edit-organization')?.dispatchEvent(new Event('submit', { cancelable: true }))
    await settle()
  }
  return { ...opened, save }
}
/** A field of the open form. Throws if there is none. */
export const field = (name: string): HTMLInputElement => {
  const found = document.querySelector<HTMLInputElement>(`[role="dialog"] [name="${name}"]`)
  if (!found) throw new Error(`no field ${name}`)
  return found
}
export const type = async (name: string, text: string): Promise<void> => {
  const input = field(name)
  input.value = text
  input.dispatchEvent(new Event('input'))
  await settle()
}
/** What was stored so far, in order. */
export const updates = (opened: OpenedPage): OrganizationDraft[] =>
  opened.core
    .argumentsOf('organizations.update')
    .map((argument) => (argument as { draft: OrganizationDraft }).draft)
