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
  readonly copy?: boolean
}
