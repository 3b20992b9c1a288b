import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { formFactors } from '../../../electron/contract/form-factor.ts'

const css = readFileSync(join(import.meta.dirname, '../../../renderer/styles/pictures.css'), 'utf8')

it('every form has a drawing for the light and one for the dark theme, without an external address', () => {
  const drawn = [...css.matchAll(/^(\[data-theme='dark'\] )?\.picture\.([\w-]+) \{/gm)].map(
    ([, dark, form]) => `${dark === undefined ? 'light' : 'dark'} ${form}`,
  )
  expect(drawn.toSorted()).toEqual(
    formFactors.flatMap((form) => [`dark ${form}`, `light ${form}`]).toSorted(),
  )
  expect([...css.matchAll(/url\(['"]?(.{19})/g)].every(([, start]) => start === 'data:image/svg+xml,')).toBe(
    true,
  )
})
