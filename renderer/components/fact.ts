/** One line of FactList.vue. */
export interface Fact {
  /** Names the slot that may replace the value: `<template #status>`. */
  readonly key: string
  readonly label: string
  /** null: the service did not say. */
  readonly value: string | null
  /** When it was observed; absent: the fact does not age. */
  readonly at?: number | null
  readonly mono?: boolean
  /** Every value can be copied; a text is copied in place of what is shown, false: nothing can. */
  readonly copy?: boolean | string
  /** Said where there is no value, in place of a dash. */
  readonly none?: string
}
