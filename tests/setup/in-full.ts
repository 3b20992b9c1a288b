/** `npm run proof` runs every case, `npm test` the short form of each test. */
export const inFull = process.env['HEADROOM_CASES'] === 'all'
