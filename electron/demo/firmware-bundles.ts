/**
 * Groups of firmware bundles: fixed sets of versions for room systems. It is documented that they exist for
 * the PanaCast 40 and 50 video bar systems, and that 1.0.0 is 6.5.0 on bar and controller (services.md#A43);
 * ids, members and the rest are made up.
 */
export const bundleGroups: readonly {
  readonly id: string
  readonly name: string
  readonly productIds: readonly number[]
  /** Newest first; each contains the next older version of every product, or its oldest. */
  readonly versions: readonly string[]
}[] = [
  {
    id: 'panacast-50-vbs',
    name: 'PanaCast 50 VBS',
    productIds: [12344, 12352, 12353, 12364, 12367, 12432, 13824, 13825],
    versions: ['1.0.0', '0.9.0', '0.8.0'],
  },
  {
    id: 'panacast-40-vbs',
    name: 'PanaCast 40 VBS',
    productIds: [12417, 12367, 12432],
    versions: ['1.1.0', '1.0.0'],
  },
]

export const bundledProducts: ReadonlySet<number> = new Set(
  bundleGroups.flatMap(({ productIds }) => productIds),
)
