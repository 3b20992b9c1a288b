/** The part of a V8 heap snapshot that is used. */
interface Snapshot {
  readonly snapshot: {
    readonly meta: {
      readonly node_fields: readonly string[]
      readonly node_types: readonly (readonly string[] | string)[]
      readonly edge_fields: readonly string[]
      readonly edge_types: readonly (readonly string[] | string)[]
    }
  }
  readonly nodes: readonly number[]
  readonly edges: readonly number[]
  readonly strings: readonly string[]
}

type Step = readonly [holder: number, by: string, path: string]

/** Who holds a text with one of these in a heap: the class and member nearest to each, sorted. */
export function holdersIn(text: string, wanted: readonly string[]): readonly string[] {
  const { snapshot, nodes, edges, strings } = JSON.parse(text) as Snapshot
  const { meta } = snapshot
  const [nodeSize, edgeSize] = [meta.node_fields.length, meta.edge_fields.length]
  const nodeField = (name: string): number => meta.node_fields.indexOf(name)
  const edgeField = (name: string): number => meta.edge_fields.indexOf(name)
  const nodeTypes = meta.node_types[nodeField('type')] as readonly string[]
  const edgeTypes = meta.edge_types[edgeField('type')] as readonly string[]
  const nameOf = (node: number): string => strings[nodes[node + nodeField('name')]!]!
  const typeOf = (node: number): string => nodeTypes[nodes[node + nodeField('type')]!]!
  const holders = new Map<number, (readonly [node: number, by: string])[]>()
  let edge = 0
  for (let node = 0; node < nodes.length; node += nodeSize)
    for (let left = nodes[node + nodeField('edge_count')]!; left > 0; left--, edge += edgeSize) {
      const type = edgeTypes[edges[edge + edgeField('type')]!]!
      if (type === 'weak') continue
      const named = edges[edge + edgeField('name_or_index')]!
      const by = type === 'element' || type === 'hidden' ? '[]' : strings[named]!
      const to = edges[edge + edgeField('to_node')]!
      const own = holders.get(to)
      if (own === undefined) holders.set(to, [[node, by]])
      else own.push([node, by])
    }
  const found = new Set<string>()
  for (let node = 0; node < nodes.length; node += nodeSize) {
    if (!/string/.test(typeOf(node)) || !wanted.some((one) => nameOf(node).includes(one))) continue
    // Up to the first object with a class of its own.
    const seen = new Set([node])
    let at: readonly Step[] = (holders.get(node) ?? []).map((one) => [...one, ''])
    while (at.length > 0) {
      const next: Step[] = []
      for (const [holder, by, path] of at) {
        if (seen.has(holder)) continue
        seen.add(holder)
        const way = `.${by}${path}`
        const own = typeOf(holder) === 'object' && !['Object', 'Array', 'Map', 'Set'].includes(nameOf(holder))
        if (own || holder === 0) found.add(`${nameOf(holder)}${way}`)
        else for (const one of holders.get(holder) ?? []) next.push([...one, way])
      }
      at = next
    }
  }
  return [...found].sort()
}
