/**
 * The style of everything on paper: the sheets that the window prints and the pages of site kits. It is a text
 * because a page of a kit contains all that it needs. The size of the paper is the printer's, and everything
 * is legible in black and white. A `.paper` is one sheet.
 */
export const paperStyle = `
@page {
  size: auto;
  margin: 11mm 12mm 12mm;
  @bottom-right {
    content: counter(page) ' / ' counter(pages);
    font: 11px 'Inter Variable', Inter, system-ui, sans-serif;
    color: #565656;
  }
}
.paper {
  --ink: #111; --ink-2: #3a3a3a; --ink-3: #565656; --line: #cfcfcf; --line-strong: #8a8a8a;
  --accent: #2457c5; --accent-ink: #fff;
  --ok: #111; --off: #111; --busy: #111; --warn: #111; --bad: #111;
  color-scheme: light;
  font: 13px/1.42 'Inter Variable', Inter, system-ui, sans-serif;
  font-variant-numeric: tabular-nums;
  color: var(--ink);
  background: #fff;
  overflow-wrap: anywhere;
  print-color-adjust: exact;
}
.paper :is(h1, h2, h3, h4, p, dl, dd, ol, ul) { margin: 0; }
.paper .top, .paper .foot { display: flex; gap: 14px; justify-content: space-between; font-size: 12px; }
.paper .top { padding-bottom: 9px; border-bottom: 1.5px solid var(--ink); font-weight: 640; }
.paper .top .kind { flex: none; color: var(--accent); }
.paper .foot { flex-wrap: wrap; justify-content: start; margin-top: 14px; padding-top: 6px; border-top: 1px solid var(--line); font-size: 11px; color: var(--ink-3); }
.paper .foot b { color: var(--ink); }
.paper h1 { margin-top: 14px; font-size: 27px; font-weight: 680; line-height: 1.15; letter-spacing: -.02em; text-wrap: balance; }
.paper h2 { margin: 15px 0 3px; font-size: 14px; font-weight: 660; }
.paper h3 { margin: 14px 0 3px; font-size: 13px; font-weight: 660; }
.paper h4 { margin: 9px 0 1px; font-size: 12px; font-weight: 640; color: var(--ink-2); }
.paper h3 + h4 { margin-top: 4px; }
.paper :is(p, ol, ul, table) + p { margin-top: 5px; }
.paper .say { margin-top: 10px; font-size: 15px; color: var(--ink-2); }
.paper :is(b, strong) { font-weight: 640; color: var(--ink); }
.paper .quiet { color: var(--ink-3); }
.paper h2 .quiet { margin-left: 4px; font-size: 12px; font-weight: 400; }
.paper .short { white-space: nowrap; }
.paper .number { text-align: end; }
.paper .to { font-weight: 640; color: var(--accent); }
.paper .beside { display: grid; grid-template-columns: 3fr 2fr; gap: 0 28px; }
.paper .beside > * { min-width: 0; }
.paper :is(ol, ul) { padding-left: 20px; }
.paper ul { list-style: disc; }
.paper .columns { columns: 3 150px; column-gap: 24px; }
.paper ol { list-style: decimal; }
.paper li { padding: 2px 0; }
.paper li::marker { font-weight: 660; color: var(--accent); }
.paper dl { display: grid; grid-template-columns: minmax(92px, max-content) 1fr; gap: 4px 12px; }
.paper dt { color: var(--ink-3); }
.paper :is(p, ol, ul) + table { margin-top: 8px; }
.paper table { width: 100%; border-collapse: collapse; font-size: 12px; }
.paper :is(th, td) { padding: 5px 12px 5px 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; unicode-bidi: isolate; }
.paper :is(th, td):last-child { padding-right: 0; }
.paper th { border-bottom-color: var(--ink); font-size: 11px; font-weight: 560; color: var(--ink-3); white-space: nowrap; }
.paper :is(th, td).number { text-align: end; }
.paper :is(code, .mono) { font: 11px/1.5 'JetBrains Mono Variable', ui-monospace, monospace; }
.paper pre { white-space: pre-wrap; }
.paper a { color: inherit; font-weight: 600; }
.paper .tick { display: inline-block; width: 13px; height: 13px; border: 1.3px solid var(--accent); border-radius: 2px; vertical-align: -2px; }
.paper .joined td:not(.blank) { border-bottom: 0; }
.paper .letter { font-weight: 640; }
.paper .blank { min-width: 80px; border-bottom-color: var(--line-strong); }
.paper .lines td { height: 26px; border-bottom-color: var(--line-strong); }
.paper .lines tr:last-child td { border-bottom: 0; }
.paper .sign { display: grid; grid-template-columns: 1fr 1fr 1.7fr; gap: 22px; margin-top: 40px; font-size: 11px; color: var(--ink-3); }
.paper .sign span { padding-top: 4px; border-top: 1px solid var(--ink); }
.paper .qr { display: block; width: 118px; background: #fff; fill: #000; }
@media print {
  .paper { break-before: page; }
  .paper :is(h1, h2, h3, h4) { break-after: avoid; }
  .paper :is(tr, li, dl, .sign, .whole) { break-inside: avoid; }
  .paper thead { display: table-header-group; }
  .paper a { text-decoration: none; }
}
`
