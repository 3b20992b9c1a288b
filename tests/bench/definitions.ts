import type { DefinitionItem } from '../../electron/contract/api/definitions.ts'
import { devicesAtRisk, type ValueRules } from '../../electron/core/definitions/devices-at-risk.ts'
import { openCachedSettings } from '../../electron/core/settings/settings.ts'
import { runStatements } from '../../electron/core/storage/statements.ts'
import { FakeClock } from '../fake-clock.ts'
import { TemporaryHome } from '../temporary-store.ts'
import { median } from './load/in-page.ts'

const organizationId = 'bench'
const devices = Number(process.env['HEADROOM_DEVICES'] ?? 100_000)
const repeats = 5

const item = (changes: Partial<DefinitionItem>): DefinitionItem => ({
  name: '',
  label: '',
  aliases: [],
  group: null,
  type: null,
  allowed: [],
  unit: null,
  default: null,
  minimum: null,
  maximum: null,
  minLength: null,
  maxLength: null,
  access: [],
  restarts: null,
  members: {},
  ...changes,
})
const narrowed = {
  source: 'feature-model',
  from: item({ maximum: 12 }),
  to: item({ maximum: 7 }),
} as const
const rules: ValueRules = new Map([
  ['s0', [narrowed]],
  ['s1', [narrowed]],
  ['s2', [{ ...narrowed, to: null }]],
])

/** Each device has 25 settings; every tenth was never read, every fourth has another product. */
const filled = (count: number): { readonly sql: string; readonly parameters: readonly number[] }[] => {
  const settings = Array.from(
    { length: 25 },
    (_, index) =>
      `'s${index === 2 ? 'x' : index}', json_object('isLocked', json('false'), 'value', (i + ${index}) % 13)`,
  ).join()
  const numbers = 'WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ? - 1)'
  return [
    {
      sql: `INSERT INTO device_row (organization_id, gone, class_id, status, name_key, title_key, id, product_id, variant_type, name, words)
        ${numbers} SELECT '${organizationId}', 0, 1, 'online', '', '', 'd' || i, iif(i % 4 = 0, 1, 9395), '01-64', '', '' FROM n`,
      parameters: [count],
    },
    {
      sql: `INSERT INTO device_settings (organization_id, device_id, json, observed_at)
        ${numbers} SELECT '${organizationId}', 'd' || i, json_object('settings', json_object(${settings})), 1 FROM n WHERE i % 10 > 0`,
      parameters: [count],
    },
  ]
}

/** Devices of one product at risk, in a fleet of 100,000 (HEADROOM_DEVICES), compared with a plain loop. */
export async function run(): Promise<object> {
  const home = new TemporaryHome()
  try {
    const store = await home.openStore(new FakeClock())
    await store.database.perform(runStatements, filled(devices))
    const kept = openCachedSettings({
      organizationId,
      vendorId: 2830,
      store,
      metadata: { featureModel: () => Promise.reject(new Error('no model is asked for')) },
    })
    const took: number[] = []
    let counted: object = {}
    for (let repeat = 0; repeat < repeats; repeat++) {
      const begun = performance.now()
      const known = await kept.ofProduct({ productId: 9395, variantType: null }, [...rules.keys()])
      const { total, allowed, notAllowed, unknown } = devicesAtRisk(rules, known)
      took.push(performance.now() - begun)
      counted = { total, allowed, notAllowed, unknown }
    }
    const plain = { total: 0, allowed: 0, notAllowed: 0, unknown: 0 }
    for (let index = 0; index < devices; index++) {
      if (index % 4 === 0) continue
      plain.total++
      if (index % 10 === 0) plain.unknown++
      else if (index % 13 > 7 || (index + 1) % 13 > 7) plain.notAllowed++
      else plain.allowed++
    }
    return {
      devices,
      riskInMs: Math.round(median(took)),
      slowestInMs: Math.round(Math.max(...took)),
      ...counted,
      asPlainLoop: JSON.stringify(counted) === JSON.stringify(plain),
    }
  } finally {
    await home.remove()
  }
}
