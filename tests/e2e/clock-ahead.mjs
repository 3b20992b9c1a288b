// Imported before the program: its wall clock, and that of its workers, is ahead by HEADROOM_JOURNEY_AHEAD_MS. Durations (performance.now,
// timers) are unchanged.
const ahead = Number(process.env['HEADROOM_JOURNEY_AHEAD_MS'] ?? 0)
const real = Date
globalThis.Date = class Date extends real {
  constructor(...given) {
    if (given.length === 0) super(real.now() + ahead)
    else super(...given)
  }
  static now() {
    return real.now() + ahead
  }
}
