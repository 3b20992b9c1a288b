/** A Thursday morning in Europe in working hours: the time of every test of the renderer, until it moves it. */
export const presentAt = Date.UTC(2026, 10, 19, 9, 30)
