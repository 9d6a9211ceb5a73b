import { describe, expect, test } from 'vitest';
import { Refusal } from '../../http/reply';
import { type Listed, pageOf, pagingHeaders, readPaging } from './paging';

/** The examples of IS-04 APIs – Query Parameters, "Pagination": times are nanoseconds. */

interface Numbered extends Listed {
  id: number;
}

function resource(id: number): Numbered {
  return { id, created: BigInt(id), updated: BigInt(id) };
}

const twenty = Array.from({ length: 20 }, (_, index) => resource(index + 1));
const url = 'http://api.example.com/x-nmos/query/v1.3/nodes';

function doneAtOnce<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const { value, done } = work.next();
    if (done) return value;
  }
}

/** @param shown one as JSON, null where it is not wanted */
function askAs(query: string, list: Numbered[], shown: (id: number) => string | null) {
  const { paging, others } = readPaging(new URLSearchParams(query));
  const page = doneAtOnce(pageOf(list, paging, ({ id }) => shown(id)));
  const headers = pagingHeaders(url, paging, page, others);
  return {
    found: page.items.map((text) => Number.parseInt(text, 10)),
    since: headers['X-Paging-Since'],
    until: headers['X-Paging-Until'],
    limit: headers['X-Paging-Limit'],
    link: headers.Link ?? '',
  };
}

function ask(query: string, list = twenty, isWanted: (id: number) => boolean = () => true) {
  return askAs(query, list, (id) => (isWanted(id) ? String(id) : null));
}

const down = (from: number, to: number): number[] =>
  Array.from({ length: from - to + 1 }, (_, index) => from - index);

describe('IS-04 Pagination, examples', () => {
  test('1: the first request', () => {
    const page = ask('paging.limit=10');
    expect(page).toMatchObject({ found: down(20, 11), since: '0:10', until: '0:20', limit: '10' });
    expect(page.link).toContain(`<${url}?paging.since=0:20&paging.limit=10>; rel="next"`);
    expect(page.link).toContain(`<${url}?paging.until=0:10&paging.limit=10>; rel="prev"`);
    expect(page.link).toContain(`<${url}?paging.since=0:0&paging.limit=10>; rel="first"`);
    expect(page.link).toContain(`<${url}?paging.limit=10>; rel="last"`);
  });

  test('2: a limit of its own', () => {
    expect(ask('paging.limit=5')).toMatchObject({
      found: down(20, 16),
      since: '0:15',
      until: '0:20',
      limit: '5',
    });
  });

  test('3: since', () => {
    const page = ask('paging.since=0:4&paging.limit=10');
    expect(page).toMatchObject({ found: down(14, 5), since: '0:4', until: '0:14' });
  });

  test('4: until', () => {
    const page = ask('paging.until=0:16&paging.limit=10');
    expect(page).toMatchObject({ found: down(16, 7), since: '0:6', until: '0:16' });
  });

  test('5: since goes before until', () => {
    const page = ask('paging.since=0:4&paging.until=0:16&paging.limit=10');
    expect(page).toMatchObject({ found: down(14, 5), since: '0:4', until: '0:14' });
  });
});

describe('IS-04 Pagination, edge cases', () => {
  test('1: before the first resource', () => {
    const list = [resource(21), resource(22)];
    expect(ask('paging.until=0:20', list)).toMatchObject({ found: [], since: '0:0', until: '0:20' });
  });

  test('2: after the last resource', () => {
    const list = [resource(19), resource(20)];
    expect(ask('paging.since=0:20', list)).toMatchObject({ found: [], since: '0:20', until: '0:20' });
    expect(ask('paging.since=0:30', list)).toMatchObject({ found: [], since: '0:30', until: '0:30' });
  });

  test('3 and 4: filters with one result or none keep the bounds of the collection', () => {
    expect(ask('label=x', twenty, (id) => id === 15)).toMatchObject({
      found: [15],
      since: '0:0',
      until: '0:20',
    });
    const none = ask('label=My%20Node', twenty, () => false);
    expect(none).toMatchObject({ found: [], since: '0:0', until: '0:20' });
    expect(none.link).toContain('?label=My+Node&paging.since=0:20');
  });

  test('a limit of 0 gives an empty page at its cursor', () => {
    expect(ask('paging.limit=0&paging.since=0:7')).toMatchObject({ found: [], since: '0:7', until: '0:7' });
    expect(ask('paging.limit=0&paging.until=0:7')).toMatchObject({ found: [], since: '0:7', until: '0:7' });
    expect(ask('paging.since=0:7&paging.until=0:7')).toMatchObject({ found: [], since: '0:7', until: '0:7' });
  });

  test('filters go before paging, and no resource is lost between pages', () => {
    const isWanted = (id: number): boolean => id % 5 < 3;
    const wanted = down(20, 1).filter(isWanted);
    const backwards: number[] = [];
    let query = 'paging.limit=3';
    for (
      let page = ask(query, twenty, isWanted);
      page.found.length > 0;
      page = ask(query, twenty, isWanted)
    ) {
      backwards.push(...page.found);
      query = `paging.limit=3&paging.until=${page.since}`;
    }
    expect(backwards).toEqual(wanted);
    const forwards: number[] = [];
    query = 'paging.limit=3&paging.since=0:0';
    for (
      let page = ask(query, twenty, isWanted);
      page.found.length > 0;
      page = ask(query, twenty, isWanted)
    ) {
      forwards.push(...page.found.reverse());
      query = `paging.limit=3&paging.since=${page.until}`;
    }
    expect(forwards).toEqual([...wanted].reverse());
  });

  test('an empty collection has a page from 0:0 to 0:0', () => {
    expect(ask('', [])).toMatchObject({ found: [], since: '0:0', until: '0:0', limit: '1000' });
  });

  test('a limit above the largest is lowered, and said', () => {
    expect(ask('paging.limit=999999')).toMatchObject({ limit: '10000' });
  });

  test('paging.order=create stays in the links', () => {
    expect(ask('paging.order=create').link).toContain('?paging.order=create&paging.since=');
  });
});

test('what changes while a page is made is on a later one', () => {
  const list = [1, 2, 3, 4].map(resource);
  for (const [query, found] of [
    ['paging.limit=10', ['4', '1']],
    ['paging.since=0:0&paging.until=9:0', ['4', '1']],
  ] as const) {
    const [, second, third] = list as [Numbered, Numbered, Numbered, Numbered];
    [second.updated, third.updated] = [2n, 3n];
    const work = pageOf(list, readPaging(new URLSearchParams(query)).paging, ({ id }) => String(id));
    work.next();
    // Of those that its turn has not come to.
    second.updated = 5n;
    third.updated = 6n;
    expect(doneAtOnce(work).items).toEqual(found);
  }
});

test('a page that would be too long has fewer resources, says how many, and none is lost between pages', () => {
  const long = (id: number): string => `${id} ${'x'.repeat(id === 9 ? 30_000_000 : 6_000_000)}`;
  const first = askAs('paging.limit=10', twenty, long);
  expect(first).toMatchObject({ found: [20, 19, 18], since: '0:17', until: '0:20', limit: '3' });
  expect(first.link).toContain(`<${url}?paging.until=0:17&paging.limit=10>; rel="prev"`);
  const [backwards, forwards]: number[][] = [[], []];
  let query = 'paging.limit=10';
  for (let page = first; page.found.length > 0; page = askAs(query, twenty, long)) {
    backwards?.push(...page.found);
    query = `paging.limit=10&paging.until=${page.since}`;
  }
  expect(backwards).toEqual(down(20, 1));
  query = 'paging.since=0:0';
  for (let page = askAs(query, twenty, long); page.found.length > 0; page = askAs(query, twenty, long)) {
    forwards?.push(...page.found.reverse());
    query = `paging.since=${page.until}`;
  }
  expect(forwards).toEqual(down(20, 1).reverse());
  expect(askAs('paging.until=0:9', twenty, long)).toMatchObject({ found: [9], since: '0:8', limit: '1' });
});

test.each([
  'paging.since=0:9&paging.until=0:8',
  'paging.since=now',
  'paging.until=1',
  'paging.limit=-1',
  'paging.limit=1.5',
  'paging.limit=',
  'paging.order=label',
])('%s is refused with 400', (query) => {
  expect(() => ask(query)).toThrow(Refusal);
});
