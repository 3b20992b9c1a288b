/** One line of FactList.vue. */
export interface Fact {
  /** The slot that may replace the value: `<template #status>`. */
  readonly key: string
  readonly label: string
  /** null: the service did not send it. */
  readonly value: string | null
  /** When it was observed; absent: the fact does not age. */
  readonly at?: number | null
  readonly mono?: boolean
  /** Every value can be copied; a text is copied instead of the displayed value, false: no copying. */
  readonly copy?: boolean | string
  /** Shown instead of a dash when there is no value. */
  readonly none?: string
}
