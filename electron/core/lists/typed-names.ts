import { Failed } from '../../contract/failure.ts'

/** Names to say of those that a typed name is a part of. Chosen. */
const saidAtMost = 3

/**
 * Throws Failed `invalid` if a typed name is a part of these: nothing is guessed, and they are named. `told`: what
 * tells one from another of the same name; null: nothing.
 */
export function refuseIfNear(
  of: 'device' | 'room',
  typed: string,
  named: readonly { readonly name: string; readonly told: string | null }[],
): void {
  const part = typed.trim().toLowerCase()
  const near = part === '' ? [] : named.filter(({ name }) => name.toLowerCase().includes(part))
  if (near.length === 0) return
  const said = near.slice(0, saidAtMost).map(({ name, told }) => (told === null ? name : `${name} (${told})`))
  const more = near.length > said.length ? ` and ${near.length - said.length} more` : ''
  throw Failed.invalid(
    of,
    `No ${of} is called "${typed}". ${near.length === 1 ? 'One name contains' : `${near.length} names contain`} it: ${said.join(', ')}${more}.`,
  )
}
