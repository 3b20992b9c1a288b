import { computed, createApp, h, nextTick, ref } from 'vue'

/**
 * The reference for Headroom's list: all rows in one `ref`, filtered in the page, with the first fifty drawn;
 * and a minimal scroller that recycles forty row elements and writes eight texts into each. Neither does more
 * than that.
 */
interface PlainRow {
  readonly id: string
  readonly name: string
  readonly serial: string
  readonly firmware: string
  readonly status: string
  readonly user: string
  readonly room: string
  readonly seen: string
}

const cells = (row: PlainRow): string[] => [
  row.name,
  row.serial,
  row.firmware,
  row.status,
  row.user,
  row.room,
  row.seen,
  row.id,
]

const rows = ref<PlainRow[]>([])
const typed = ref('')
const matching = computed(() => {
  const words = typed.value.toLowerCase().split(/\s+/).filter(Boolean)
  return rows.value.filter((row) =>
    words.every((word) => cells(row).some((text) => text.toLowerCase().includes(word))),
  )
})

const list = {
  render: () => [
    h('p', { id: 'total' }, String(matching.value.length)),
    h(
      'table',
      matching.value.slice(0, 50).map((row) =>
        h(
          'tr',
          { key: row.id },
          cells(row).map((text) => h('td', text)),
        ),
      ),
    ),
  ],
}

const ROW = 32
function scroller(count: number): HTMLElement {
  const outer = document.createElement('div')
  outer.style.cssText = 'height:560px;overflow:auto;position:relative;contain:strict'
  const inner = document.createElement('div')
  inner.style.height = `${count * ROW}px`
  outer.append(inner)
  const pool = Array.from({ length: 40 }, () => {
    const line = document.createElement('div')
    line.style.cssText = `position:absolute;top:0;left:0;right:0;height:${ROW}px;display:grid;grid-template-columns:repeat(8,1fr)`
    for (let cell = 0; cell < 8; cell++) line.append(document.createElement('span'))
    outer.append(line)
    return line
  })
  const draw = (): void => {
    const first = Math.floor(outer.scrollTop / ROW)
    for (let place = first; place < first + pool.length; place++) {
      const line = pool[place % pool.length] as HTMLElement
      const row = rows.value[place]
      line.style.transform = `translateY(${place * ROW}px)`
      if (row)
        for (const [cell, text] of cells(row).entries())
          (line.children[cell] as HTMLElement).textContent = text
    }
  }
  outer.addEventListener('scroll', draw)
  draw()
  return outer
}

const frames = (count: number): Promise<void> =>
  new Promise((resolve) => {
    const next = (left: number): void =>
      void (left === 0 ? resolve() : requestAnimationFrame(() => next(left - 1)))
    next(count)
  })

Object.assign(window, {
  fill: async (count: number): Promise<void> => {
    rows.value = Array.from({ length: count }, (_, index) => ({
      id: `D${index.toString(16).padStart(12, '0')}`,
      name: `Evolve2 65 Mono · Person ${index % 977}`,
      serial: `00A1D4F${String(index * 37).padStart(6, '0')}`,
      firmware: `2.${index % 10}.${index % 7}`,
      status: ['online', 'offline', 'unknown'][index % 3] ?? '',
      user: `person${index % 977}`,
      room: index % 5 === 0 ? `Aarhus ${index % 50}` : '',
      seen: `${index % 60} min`,
    }))
    createApp(list).mount(document.body.appendChild(document.createElement('main')))
    await nextTick()
  },
  /** Milliseconds from a keystroke to the frame with its result, for each text. */
  type: async (texts: readonly string[]): Promise<number[]> => {
    const took: number[] = []
    for (const text of texts) {
      const at = performance.now()
      typed.value = text
      await nextTick()
      await frames(2)
      took.push(performance.now() - at)
    }
    return took
  },
  showScroller: async (): Promise<void> => {
    document.body.replaceChildren()
    const outer = scroller(rows.value.length)
    outer.id = 'scroller'
    document.body.append(outer)
    await frames(3)
  },
})
