import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  type Pair,
  Parser,
  parseDocument,
  visit,
} from 'yaml';
import { badInput, type WhitelineError } from '../../protocol/errors';

/** Where something was written. */
export interface TextPosition {
  /** In words: "plan.yaml:7:5", or "experiment 2". */
  text: string;
  /** Grows from the first position to the last. */
  order: number;
}

/** A value out of YAML that still knows where each part of it was written. */
export interface PositionedYaml {
  value: unknown;
  /** Of the nearest part of the path that was written: a field's name, or an entry of a list. */
  positionOf(path: readonly PropertyKey[]): TextPosition;
}

/** More lines of errors than this do not help. */
const mostFaults = 20;
/** Our own plans are not nested half as deep; reading much deeper ones overflows the stack. */
const deepestNesting = 100;

/**
 * Reads one document of plain YAML: no tags, no names but texts.
 * @param file what places are given of
 * @throws WhitelineError BAD_INPUT with file, line and column of every fault
 */
export function readYaml(text: string, file: string, what: string): PositionedYaml {
  const lines = new LineCounter();
  const options = { lineCounter: lines, prettyErrors: false, stringKeys: true, version: '1.2' } as const;
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  const refusedAt = (offset: number, fault: string): WhitelineError =>
    refused(what, [`${at(offset)}: ${sentence(what, fault)}`]);
  refuseDeep(text, file, what);
  const document = parseDocument(text, options);
  const faults = [...document.errors, ...document.warnings];
  if (faults.length > 0) {
    const first = faults.slice(0, mostFaults);
    throw refused(
      what,
      first.map(({ pos, message }) => `${at(pos[0])}: ${sentence(what, message)}`),
    );
  }
  const circle = circleAt(document);
  if (circle !== null) throw refusedAt(circle, 'an alias inside of what it stands for');
  return {
    value: plainValue(document, file, what),
    positionOf(path) {
      const offset = offsetOf(document, path);
      return { text: at(offset), order: offset };
    },
  };
}

/** Before the text is parsed: the parser calls itself for each level, and overflows its stack where they are many. */
function refuseDeep(text: string, file: string, what: string): void {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    // What it gives is read again by `parseDocument`.
    for (const _ of parser.next(lexeme));
    if (parser.stack.length <= deepestNesting) continue;
    const before = text.slice(0, parser.offset).split('\n');
    const position = `${file}:${before.length}:${(before.pop() ?? '').length + 1}`;
    throw refused(what, [`${position}: ${sentence(what, `more than ${deepestNesting} levels of nesting`)}`]);
  }
}

/** Where an alias makes a value a part of itself; null if none does. */
function circleAt(document: Document.Parsed): number | null {
  let offset: number | null = null;
  visit(document, {
    Alias(_, alias, path) {
      const target = alias.resolve(document);
      if (!target || !path.includes(target)) return undefined;
      offset = alias.range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return offset;
}

/** An alias that names nothing, or that makes a small text a huge value, is found only here. */
function plainValue(document: Document.Parsed, file: string, what: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    throw refused(what, [`${file}:1:1: ${sentence(what, (error as Error).message)}`]);
  }
}

function sentence(what: string, message: string): string {
  return badInput(what, 'YAML', message).message;
}

function refused(what: string, lines: string[]): WhitelineError {
  const error = badInput(what, 'YAML', '');
  error.message = lines.join('\n');
  return error;
}

function offsetOf(document: Document.Parsed, path: readonly PropertyKey[]): number {
  let node: Node | null = document.contents;
  let offset = node?.range?.[0] ?? 0;
  for (const key of path) {
    const inside: Node | null | undefined = isAlias(node) ? node.resolve(document) : node;
    if (isMap(inside)) {
      const pair: Pair | undefined = inside.items.find(
        (item) => isScalar(item.key) && String(item.key.value) === String(key),
      );
      if (!pair) break;
      offset = isNode(pair.key) ? (pair.key.range?.[0] ?? offset) : offset;
      node = isNode(pair.value) ? pair.value : null;
    } else if (isSeq(inside)) {
      const item: unknown = inside.items[Number(key)];
      if (!isNode(item)) break;
      offset = item.range?.[0] ?? offset;
      node = item;
    } else break;
  }
  return offset;
}
