import type { ProductId } from '../../electron/contract/api/firmware.ts'
import { failureText } from '../failures/failure-text.ts'
import { useCopyText } from '../components/clipboard.ts'
import { showToast } from '../components/toasts.ts'
import { useFirmware } from '../firmware/firmware-store.ts'
import { text } from '../locales/i18n.ts'

export interface Release extends ProductId {
  readonly version: string
}
/** Copies the download link of a release and says so, as on Firmware. */
export function useLinkCopy(): (release: Release) => Promise<void> {
  const firmware = useFirmware()
  const copyText = useCopyText()
  return async (release) => {
    const outcome = await firmware.linkOf({ ...release, buildType: null })
    if (!outcome.ok) return showToast(failureText(outcome.failure).sentence, 'bad')
    const { url, version } = outcome.value
    if (url === null) return showToast(text('firmware.link.noAddress', { version }), 'bad')
    if (await copyText(url)) showToast(text('firmware.link.copied', { version }))
    else showToast(text('components.copy.failed'), 'bad')
  }
}
