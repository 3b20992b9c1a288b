/** Property tests try the same cases in every run, so that a run says what changed in the code; `npm run bench property` tries others. */
export const propertySeed = Number(process.env['HEADROOM_PROPERTY_SEED'] ?? 20_261_122)
