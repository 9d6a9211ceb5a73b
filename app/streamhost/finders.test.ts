import { expect, test } from 'vitest';
import type { DiscoveredSource } from '../protocol/records';
import { Finders } from './finders';

const onNetwork = { name: 'PC (a)', address: '192.0.2.7:5961' };
const far = { name: 'FAR (b)', address: '198.51.100.7:5961' };

function made() {
  const opened: string[][] = [];
  const closed: string[][] = [];
  class Finder {
    readonly asked: string[];
    constructor({ extraAddresses = [] }: { extraAddresses?: string[] }) {
      this.asked = extraAddresses;
      opened.push(extraAddresses);
    }
    sources = (): DiscoveredSource[] =>
      this.asked.includes('198.51.100.7') ? [onNetwork, far] : [onNetwork];
    close(): void {
      closed.push(this.asked);
    }
  }
  return { finders: new Finders({ Finder }, 'ndi', ['127.0.0.1']), opened, closed };
}

test('a host is asked beside what is searched already, once, and each source is listed once', () => {
  const { finders, opened, closed } = made();
  expect(finders.sources()).toEqual([onNetwork]);
  for (const host of ['198.51.100.7', '198.51.100.7', '127.0.0.1']) finders.add(host);
  expect(opened).toEqual([['127.0.0.1'], ['198.51.100.7']]);
  expect(finders.sources()).toEqual([onNetwork, far]);
  finders.close();
  expect(closed).toEqual(opened);
});

test('no more than eight are asked so', () => {
  const { finders, opened } = made();
  for (let number = 1; number <= 8; number++) finders.add(`198.51.100.${number}`);
  expect(() => finders.add('198.51.100.9')).toThrow('Expected at most 8 hosts until the engine is restarted');
  expect(opened).toHaveLength(9);
});
