import type { Json, JsonObject } from '../../contract/json.ts'
import {
  namesSomeProduct,
  productEvidence,
  titleOf,
  type Evidence,
  type Place,
  type WantedProduct,
} from './content-evidence.ts'
import { linksWithin, type ContentLinks } from './content-links.ts'
import { isForNotes } from './note-json.ts'

/**
 * The shape of product content is not published (services.md#A38), so this parser searches for
 * entity ids, product ids, names and links anywhere. It never throws, and reads at most sixteen levels.
 */
export interface ContentRecord extends ContentLinks {
  readonly title: string | null
  readonly raw: JsonObject
  /** The best evidence for the product in the whole document. */
  readonly strength: Evidence['strength']
}

const deepest = 16

interface Candidate {
  readonly score: number
  readonly record: JsonObject
  readonly links: ContentLinks
  readonly title: string | null
}

/** The evidence of a value inside a record, and its depth. */
interface LocatedEvidence extends Evidence {
  readonly depth: number
}

/**
 * The record of the document about the product: one with links, else one with only notes, else any; null:
 * there is none.
 */
export function recordOf(json: Json, documentUrl: string, wanted: WantedProduct): ContentRecord | null {
  let best: Candidate | null = null
  /** Entries of lists and dictionaries in which another entry is about the product. */
  const aboutOthers = new Set<Json>()

  const consider = (node: Json, place: Place, depth: number): LocatedEvidence | null => {
    if (depth > deepest) return null
    const own = productEvidence(node, place, wanted)
    const below = typeof node === 'object' && node !== null ? considerInside(node, place, depth) : null
    if (own === null && below === null) return null
    // A value that is not a record, found under a product's id or name, is identified only by that name.
    const record =
      typeof node === 'object' && node !== null && !Array.isArray(node)
        ? (node as JsonObject)
        : own === null
          ? null
          : { [place.key ?? '']: node }
    const evidence = strongest([own === null ? null : { ...own, depth: 0 }, below])
    if (record === null || evidence === null) return evidence
    const links = linksWithin(record, documentUrl, own === null ? aboutOthers : new Set())
    // A record with a page link is preferred, then one with texts, then one with pictures; then the evidence
    // decides; then the closest record is used, not the list around it. If several are equal, the outer
    // record is used, which contains the others.
    const score =
      (links.links.length > 0
        ? 3_000
        : Object.keys(record).some(isForNotes)
          ? 2_000
          : links.images.length > 0
            ? 1_000
            : 0) +
      evidence.strength * 100 -
      evidence.depth
    if (best === null || score >= best.score)
      best = { score, record, links, title: titleOf(record, place.key) }
    return evidence
  }

  const considerInside = (node: object, place: Place, depth: number): LocatedEvidence | null => {
    const isList = Array.isArray(node)
    const entries = Object.entries(node as Record<string, Json>)
    const keys = isList ? [] : entries.map(([name]) => name)
    const evidence = entries.map(([name, value]) => ({
      value,
      evidence: consider(value, { key: isList ? null : name, above: place.key, beside: keys }, depth + 1),
    }))
    if (evidence.some((one) => one.evidence !== null))
      for (const one of evidence)
        if (one.evidence === null && (isList || namesSomeProduct(one.value))) aboutOthers.add(one.value)
    const strong = strongest(evidence.map((one) => one.evidence))
    return strong === null ? null : { ...strong, depth: strong.depth + 1 }
  }

  const evidence = consider(json, { key: null, above: null, beside: [] }, 0)
  const chosen = best as Candidate | null
  return chosen === null || evidence === null
    ? null
    : { title: chosen.title, ...chosen.links, raw: chosen.record, strength: evidence.strength }
}

const strongest = (all: readonly (LocatedEvidence | null)[]): LocatedEvidence | null =>
  all.reduce<LocatedEvidence | null>((best, one) => {
    if (one === null || best === null) return one ?? best
    return one.strength > best.strength || (one.strength === best.strength && one.depth < best.depth)
      ? one
      : best
  }, null)
