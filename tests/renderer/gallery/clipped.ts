/**
 * Runs in a page and finds controls and headings whose text is cut, by their own box or by one inside them.
 * Text only for screen readers is excluded, as is text that a technician typed or a service sent (`data`):
 * only our own texts must fit.
 */
export function clippedControls(): readonly string[] {
  const controls =
    'button, a.button, [role="tab"], [role="button"], label, legend, th, [role="columnheader"], h1, h2, h3, dt, .chip, .place, .pill'
  const data = '.switcher, .entry, .pick, .item, .grid-cell, .names, .product'
  const cut = (element: Element): boolean => {
    const style = getComputedStyle(element)
    if (element.clientWidth === 0 || style.position === 'absolute' || style.clipPath !== 'none') return false
    const hidden = style.overflowX !== 'visible' || element.matches('button, th, a, h1, h2, h3')
    return (
      hidden &&
      (element.scrollWidth > element.clientWidth + 1 ||
        (style.overflowY === 'hidden' && element.scrollHeight > element.clientHeight + 3))
    )
  }
  const outside = (element: Element): boolean => {
    const box = element.getBoundingClientRect()
    const scrolls = (at: Element | null): boolean =>
      at !== null && (/auto|scroll/.test(getComputedStyle(at).overflowX) || scrolls(at.parentElement))
    return box.width > 1 && box.right > innerWidth + 1 && !scrolls(element.parentElement)
  }
  const shown = (element: Element): boolean =>
    element.checkVisibility({ visibilityProperty: true }) &&
    element.closest('.visually-hidden, [aria-hidden="true"]') === null
  return [...document.querySelectorAll(controls)]
    .filter((element) => shown(element) && element.closest(data) === null)
    .filter(
      (element) =>
        outside(element) ||
        [element, ...element.querySelectorAll('*')].some(
          (one) => !one.matches(`.visually-hidden, svg, svg *, input, ${data}`) && cut(one),
        ),
    )
    .map(
      (element) =>
        `${element.tagName.toLowerCase()}.${element.className} “${(element.textContent ?? '').trim().slice(0, 60)}”`,
    )
}
