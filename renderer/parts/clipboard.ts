import { inject, type InjectionKey } from 'vue'

/** Answers whether the text reached the clipboard. Provided by main.ts: parts do not know the link. */
export type CopyText = (text: string) => Promise<boolean>
export const copyTextKey: InjectionKey<CopyText> = Symbol('copy text')

export const useCopyText = (): CopyText => inject(copyTextKey, () => Promise.resolve(false))
