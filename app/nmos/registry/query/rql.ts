import { Refusal } from '../../http/reply';
import { foldedIn, pathOf, type Scalar, someAt } from './attributes';

/**
 * The Resource Query Language in its normalised form (IS-04 APIs – Query Parameters, "Advanced (RQL) Queries"): and, or, not; eq,
 * ne, gt, ge, lt, le; in, out.
 */

export type Filter = (value: unknown) => boolean;

const longestQuery = 4000;
const mostCalls = 100;
const deepest = 16;

interface Call {
  name: string;
  arguments: Term[];
}
/** A call, a list, or a text. */
type Term = Call | Term[] | string;

/**
 * @param text with its values still percent-encoded
 * @throws Refusal 400 for what is no RQL or too complex, 501 for a function that is not supported
 */
export function parseRql(text: string): Filter {
  if (text.length > longestQuery)
    throw new Refusal(
      400,
      `Expected at most ${longestQuery} characters for query.rql but received ${text.length}`,
    );
  return filterOf(new Parser(text).parse());
}

class Parser {
  private at = 0;
  private calls = 0;

  constructor(private readonly text: string) {}

  parse(): Term {
    const term = this.term(0);
    if (this.at < this.text.length) throw this.wrong('the end');
    return term;
  }

  private term(depth: number): Term {
    if (depth > deepest || this.calls > mostCalls)
      throw new Refusal(400, `Expected at most ${mostCalls} calls, ${deepest} deep, for query.rql`);
    if (this.text[this.at] === '(') return this.list(depth);
    const [word = ''] = /^[^(),&|;]*/.exec(this.text.slice(this.at)) ?? [];
    this.at += word.length;
    if (this.text[this.at] !== '(') return word;
    this.calls++;
    return { name: word, arguments: this.list(depth) };
  }

  private list(depth: number): Term[] {
    const terms: Term[] = [];
    do {
      this.at++;
      terms.push(this.term(depth + 1));
    } while (this.text[this.at] === ',');
    if (this.text[this.at] !== ')') throw this.wrong('"," or ")"');
    this.at++;
    return terms;
  }

  private wrong(expected: string): Refusal {
    const rest = this.text.slice(this.at, this.at + 20) || 'the end';
    return new Refusal(400, `Expected ${expected} at character ${this.at} of query.rql but received ${rest}`);
  }
}

function filterOf(term: Term): Filter {
  if (typeof term === 'string' || Array.isArray(term))
    throw new Refusal(
      400,
      `Expected a call such as eq(label,x) for query.rql but received ${JSON.stringify(term)}`,
    );
  const { name, arguments: inner } = term;
  switch (name) {
    case 'and':
    case 'or': {
      const filters = inner.map(filterOf);
      return name === 'and'
        ? (value) => filters.every((filter) => filter(value))
        : (value) => filters.some((filter) => filter(value));
    }
    case 'not': {
      const [filter] = exactly(name, inner, 1).map(filterOf);
      return (value) => !filter?.(value);
    }
    case 'in':
    case 'out': {
      const [path, list] = exactly(name, inner, 2);
      const options = (Array.isArray(list) ? list : [list]).map((option) => comparison('eq', path, option));
      const isIn: Filter = (value) => options.some((option) => option(value));
      return name === 'in' ? isIn : (value) => !isIn(value);
    }
    case 'ne': {
      const isEqual = comparison('eq', ...pair(name, inner));
      return (value) => !isEqual(value);
    }
    default:
      if (isRelation(name)) return comparison(name, ...pair(name, inner));
      throw new Refusal(501, `The function ${name}() of query.rql is not supported`);
  }
}

function pair(name: string, terms: Term[]): [Term | undefined, Term | undefined] {
  const [path, value] = exactly(name, terms, 2);
  return [path, value];
}

function exactly(name: string, terms: Term[], count: number): Term[] {
  if (terms.length === count) return terms;
  throw new Refusal(
    400,
    `Expected ${count} arguments for ${name}() of query.rql but received ${terms.length}`,
  );
}

const relations = {
  eq: (order: number) => order === 0,
  gt: (order: number) => order > 0,
  ge: (order: number) => order >= 0,
  lt: (order: number) => order < 0,
  le: (order: number) => order <= 0,
};
type Relation = keyof typeof relations;

function isRelation(name: string): name is Relation {
  return Object.hasOwn(relations, name);
}

function comparison(relation: Relation, pathTerm: Term | undefined, valueTerm: Term | undefined): Filter {
  const path = pathOf(decoded(pathTerm));
  const typed = /^(string|number|boolean):(.*)$/s.exec(typeof valueTerm === 'string' ? valueTerm : '');
  const type = typed?.[1] ?? null;
  const text = decoded(typed ? typed[2] : valueTerm);
  const holds = relations[relation];
  return (value) =>
    someAt(value, path, (found) => {
      if (type !== null && typeof found !== type) return false;
      const order = orderOf(found, text, path);
      return order !== null && holds(order);
    });
}

/** null for what cannot be compared. */
function orderOf(found: Scalar, text: string, path: readonly string[]): number | null {
  if (typeof found === 'number') {
    const number = text.trim() === '' ? Number.NaN : Number(text);
    return Number.isNaN(number) ? null : found - number;
  }
  if (typeof found !== 'string') return String(found) === text ? 0 : null;
  const [left, right] = [foldedIn(path, found), foldedIn(path, text)];
  return left === right ? 0 : left < right ? -1 : 1;
}

function decoded(term: Term | undefined): string {
  if (typeof term !== 'string')
    throw new Refusal(400, `Expected a name or a value for query.rql but received ${JSON.stringify(term)}`);
  try {
    return decodeURIComponent(term);
  } catch {
    // Encoded once instead of twice, with a % of its own.
    return term;
  }
}
