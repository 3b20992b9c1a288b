import type { EChartsCoreOption } from 'echarts/core'
import type { FirmwareWord } from '../../electron/contract/api/devices.ts'
import type { Overview } from '../../electron/contract/api/overview.ts'
import { text } from '../locales/i18n.ts'
import { formatCount } from '../parts/format.ts'
import type { ChartColours } from './chart-colours.ts'

/** Work first, as the bars are read from the left. */
export const firmwareWords: readonly FirmwareWord[] = ['revoked', 'behind', 'unknown', 'ahead', 'current']

const base = (colours: ChartColours): EChartsCoreOption => ({
  tooltip: {
    trigger: 'axis',
    axisPointer: { type: 'shadow', shadowStyle: { color: colours.line, opacity: 0.35 } },
    // Text drawn into the canvas: the page's content security policy allows no markup with styles.
    renderMode: 'richText',
    backgroundColor: colours.surface,
    borderColor: colours.line,
    textStyle: { color: colours.ink, fontSize: 12 },
    confine: true,
  },
  legend: {
    bottom: 0,
    left: 0,
    itemWidth: 10,
    itemHeight: 10,
    itemGap: 14,
    icon: 'roundRect',
    textStyle: { color: colours.ink, fontSize: 11 },
    selectedMode: false,
  },
})
/** The margins of a grid are those of its labels. */
const withLabels = { outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' } as const
const valueAxis = (colours: ChartColours): object => ({
  type: 'value',
  minInterval: 1,
  axisLabel: {
    color: colours.quiet,
    fontSize: 11,
    formatter: (value: number) => formatCount(value),
    hideOverlap: true,
  },
  splitLine: { lineStyle: { color: colours.line } },
})
const nameAxis = (colours: ChartColours, data: readonly string[], more: object = {}): object => ({
  type: 'category',
  data,
  axisTick: { show: false },
  axisLine: { lineStyle: { color: colours.line } },
  axisLabel: { color: colours.ink, fontSize: 11, ...more },
})

const colourOf = (word: FirmwareWord, colours: ChartColours): string =>
  ({
    current: colours.ok,
    behind: colours.warn,
    ahead: colours.busy,
    revoked: colours.bad,
    unknown: colours.unknown,
  })[word]

export function firmwareChart({ firmware }: Overview, colours: ChartColours): EChartsCoreOption {
  return {
    ...base(colours),
    grid: { top: 4, left: 4, right: 16, bottom: 30, ...withLabels },
    xAxis: valueAxis(colours),
    yAxis: {
      ...nameAxis(
        colours,
        firmware.products.map((one) => one.productName),
        { width: 150, overflow: 'truncate', interval: 0 },
      ),
      // Most to do stands at the top.
      inverse: true,
    },
    series: firmwareWords.map((word) => ({
      name: text(`overview.firmwareWords.${word}`),
      type: 'bar',
      stack: 'all',
      barMaxWidth: 14,
      itemStyle: { color: colourOf(word, colours), opacity: 0.88 },
      data: firmware.products.map((one) => one[word]),
    })),
  }
}

/** `up to 1 h`, `1–8 h`, `over 7 d`. */
export function ageLabels({ ages }: Overview): readonly string[] {
  return ages.map(({ upToInMs }, index) => {
    const over = ages[index - 1]?.upToInMs ?? null
    if (upToInMs === null) return text('overview.ages.over', { age: span(over ?? 0) })
    return over === null
      ? text('overview.ages.upTo', { age: span(upToInMs) })
      : text('overview.ages.between', { from: span(over), to: span(upToInMs) })
  })
}
const span = (inMs: number): string =>
  inMs >= 86_400_000 * 2
    ? text('overview.ages.days', { n: inMs / 86_400_000 })
    : text('overview.ages.hours', { n: inMs / 3_600_000 })

export function ageChart(overview: Overview, colours: ChartColours): EChartsCoreOption {
  return {
    ...base(colours),
    legend: { show: false },
    grid: { top: 8, left: 4, right: 16, bottom: 4, ...withLabels },
    xAxis: nameAxis(colours, ageLabels(overview), { interval: 0 }),
    yAxis: valueAxis(colours),
    series: [
      {
        name: text('overview.columns.devices'),
        type: 'bar',
        barMaxWidth: 44,
        data: overview.ages.map(({ count, upToInMs }) => ({
          value: count,
          itemStyle: {
            color: upToInMs === null ? colours.bad : upToInMs > 86_400_000 ? colours.warn : colours.busy,
          },
        })),
      },
    ],
  }
}
