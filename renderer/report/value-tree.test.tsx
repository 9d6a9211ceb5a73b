import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ValueTree } from './value-tree';

function textOf(tree: Record<string, unknown>): string {
  const markup = renderToStaticMarkup(<ValueTree tree={tree} />);
  return markup
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

test('the reason why something is not known stands in its place, once', () => {
  const tree = { mainboard: null, notKnown: { mainboard: 'no firmware', governors: 'a hypervisor' } };
  expect(textOf(tree)).toBe('Mainboard no firmware Not known CPU governor: a hypervisor');
});

test('things of plain values are a line, and things with the same fields are a table', () => {
  expect(textOf({ power: { plan: null, governors: 'performance' } })).toBe('Power CPU governor: performance');
  const threads = { pacing: { priority: 1, core: null }, looking: { priority: 0, core: null } };
  expect(textOf({ policy: { threads } })).toBe('Policy Threads Name Priority pacing 1 looking 0');
});

test('a table has no column of what none of its things has, and each reason once', () => {
  const notKnown = { driver: 'it does not say', eee: 'it does not say' };
  const interfaces = [
    { name: 'lo', driver: null, mtuBytes: 65536, notKnown },
    { name: 'eth0', driver: null, mtuBytes: 1500, notKnown },
  ];
  expect(textOf({ interfaces })).toBe(
    'Interfaces Name MTU (bytes) lo 65536 eth0 1500 Not known: Driver, EEE: it does not say.',
  );
});
