/**
 * Property tests use the same cases in every run, so that a different result comes from the code; `npm run
 * proof -- property` uses others.
 */
export const propertySeed = Number(process.env['HEADROOM_PROPERTY_SEED'] ?? 20_261_122)
