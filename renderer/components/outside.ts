import { inject, type InjectionKey } from 'vue'

/** Opens an address in the system's browser; the main process decides which are allowed, and asks. */
export type OpenOutside = (url: string) => Promise<void>
export const openOutsideKey: InjectionKey<OpenOutside> = Symbol('open outside')

export const useOpenOutside = (): OpenOutside => inject(openOutsideKey, () => Promise.resolve())
