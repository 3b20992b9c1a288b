import { mount } from '@vue/test-utils'
import { expect, it } from 'vitest'
import type { ProductNotCompared } from '../../../electron/contract/api/firmware.ts'
import { i18n } from '../../../renderer/locales/i18n.ts'
import ProductsNotCompared from '../../../renderer/overview/ProductsNotCompared.vue'
import { createPages } from '../../../renderer/router.ts'

const product = (productId: number, productName: string | null, devices: number): ProductNotCompared => ({
  productId,
  productName,
  devices,
  failure: { kind: 'invalid', field: 'productId', message: `${productId} is not a product ID` },
  comparedAt: productName === 'P1' ? Date.now() - 2 * 3_600_000 : null,
})

it('lists each product with its devices and the reason, and counts those beyond five', () => {
  const products = [
    product(5_000_000_000, 'Odd thing', 1),
    product(-1, null, 2),
    ...[1, 2, 3, 4].map((id) => product(id, `P${id}`, 1)),
  ]
  const visible = mount(ProductsNotCompared, {
    props: { products },
    global: { plugins: [i18n, createPages(() => true)] },
  })
  const lines = visible.findAll('li').map((line) => line.text())
  const wheres = visible.findAll('a').map((link) => decodeURIComponent(link.attributes('href') ?? ''))
  expect([lines[0], lines[1], lines[2], lines.at(-1), wheres.slice(0, 2)]).toEqual([
    'Odd thing, 1 device, was not compared: 5000000000 is not a product ID.',
    '-0x0001, 2 devices, was not compared: -1 is not a product ID.',
    'P1, 1 device, was not compared: 1 is not a product ID. The last result is shown; its list was read 2 hours ago.',
    '1 more product was not compared.',
    [expect.stringContaining('where=pid:5000000000'), expect.stringContaining('where=pid:-1')],
  ])
})
