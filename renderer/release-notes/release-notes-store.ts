import { defineStore } from 'pinia'
import { computed, ref } from 'vue'
import type { ProductId, ReleaseList } from '../../electron/contract/api/firmware.ts'
import type { ContentLink, ReleaseNotes } from '../../electron/contract/api/release-notes.ts'
import { api } from '../api.ts'
import { latestResult } from '../components/latest-result.ts'

export const linkKinds = ['release-notes', 'support', 'other'] as const

/** What the content document contains about one product. */
export const useReleaseNotes = defineStore('release-notes', () => {
  const product = ref<ProductId | null>(null)
  const notes = latestResult<ReleaseNotes>()
  const releases = latestResult<ReleaseList>()

  /** `since`: only notes of later versions. */
  async function open(id: ProductId, since: string | null): Promise<void> {
    if (product.value?.vendorId !== id.vendorId || product.value.productId !== id.productId) {
      notes.clear()
      releases.clear()
    }
    product.value = { vendorId: id.vendorId, productId: id.productId }
    await Promise.all([
      notes.take(api.releaseNotes.get({ ...product.value, ...(since === null ? {} : { since }) })),
      releases.take(api.firmware.releases(product.value)),
    ])
  }

  /** Links by their kind; a kind without links is left out. */
  const groups = computed(() => {
    const links = notes.value.value?.record?.links ?? []
    return linkKinds
      .map((kind) => ({ kind, links: links.filter((one: ContentLink) => one.kind === kind) }))
      .filter((group) => group.links.length > 0)
  })

  /** Addresses of release notes in the releases, newest first. */
  const releaseLinks = computed(() =>
    (releases.value.value?.releases ?? []).flatMap((one) => {
      const url = one.notesUrl
      return url?.startsWith('https://') ? [{ version: one.version, url, host: new URL(url).host }] : []
    }),
  )

  return {
    product,
    notes: notes.value,
    failure: notes.failure,
    busy: notes.busy,
    productName: computed(
      () => releases.value.value?.product.name ?? notes.value.value?.record?.title ?? null,
    ),
    groups,
    releaseLinks,
    releases: computed(() => releases.value.value?.releases ?? []),
    open,
    close() {
      product.value = null
      notes.clear()
      releases.clear()
    },
  }
})
