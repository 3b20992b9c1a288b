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
  /**
   * Missing: the displayed value can be copied. A text: it is copied instead; false: the value cannot be
   * copied.
   */
  readonly copy?: boolean | string
  /** Shown instead of a dash when there is no value. */
  readonly none?: string
}
