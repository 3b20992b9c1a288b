/** Ids in addresses are int32 (services.md#A31). */
export const largestProductId = 2_147_483_647

/** Whether an address can name it. A device may report any number: its record is shown anyway. */
export const isProductId = (productId: number): boolean =>
  Number.isInteger(productId) && productId >= 0 && productId <= largestProductId

/** Variants are compared ignoring case (services.md#A24); `''` is the whole product. */
export const variantKey = (variant: string | null): string => variant?.trim().toUpperCase() ?? ''

/**
 * Stages (services.md#A32) of a release that is not for everyone yet: never the latest unless the technician
 * includes them.
 */
export const prereleaseStages = ['Candidate', 'Test', 'Beta'] as const
export type PrereleaseStage = (typeof prereleaseStages)[number]
/** What devices are compared with: the latest release, or the version that a person approved. */
export const compareWithValues = ['latest', 'approved'] as const
export type CompareWith = (typeof compareWithValues)[number]
/** `bundles-differ`: several bundle groups name the product, and their newest versions of it differ. */
export const noLatestOfSome = [
  'all-revoked',
  'no-public-release',
  'no-readable-version',
  'bundles-differ',
] as const
export type NoLatestOfSome = (typeof noLatestOfSome)[number]
