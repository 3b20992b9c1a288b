// Resolve `electron` (require and import alike) to the stand-in. Sync hooks need Node >= 22.15 / 24.
import { registerHooks } from 'node:module'
const cjs = new URL('./electron.cjs', import.meta.url).href,
  esm = new URL('./electron.mjs', import.meta.url).href
registerHooks({
  resolve(spec, ctx, next) {
    if (spec === 'electron' || spec === 'electron/main' || spec === 'electron/common')
      return { url: ctx.conditions?.includes('import') ? esm : cjs, shortCircuit: true }
    return next(spec, ctx)
  },
})
