import { inject, type InjectionKey } from 'vue'

/** Opens an https address in the system's browser. Use OutsideLink, which shows the host first. */
export type OpenOutside = (url: string) => Promise<void>
export const openOutsideKey: InjectionKey<OpenOutside> = Symbol('open outside')

export const useOpenOutside = (): OpenOutside => inject(openOutsideKey, () => Promise.resolve())
