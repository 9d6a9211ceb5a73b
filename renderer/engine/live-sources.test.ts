import { expect, test } from 'vitest';
import type { LiveSource } from '../../app/protocol/console';
import {
  chooseAddress,
  forget,
  hindranceOf,
  matching,
  noteListed,
  useLiveSearch,
  withListed,
} from './live-sources';

function source(name: string, sender: LiveSource['sender'] = 'other'): LiveSource {
  return { name, addresses: ['10.0.0.2:5961'], sender, format: null };
}

test('a source that discovery loses keeps its place and says so, until it is back', () => {
  const first = withListed([], [source('B (2)'), source('A (1)')]);
  expect(first.map(({ name, isListed }) => [name, isListed])).toEqual([
    ['A (1)', true],
    ['B (2)', true],
  ]);
  const lost = withListed(first, [source('B (2)'), source('B (10)')]);
  expect(lost.map(({ name, isListed }) => [name, isListed])).toEqual([
    ['A (1)', false],
    ['B (2)', true],
    ['B (10)', true],
  ]);
  expect(withListed(lost, [source('A (1)')])).toContainEqual({ ...source('A (1)'), isListed: true });
});

test('only what is listed, of others and not followed yet can be followed', () => {
  const found = withListed(withListed([], [source('GONE (1)')]), [
    source('A (1)'),
    source('HERE (1)', 'own'),
  ]);
  const of = (chosen: string | null, followed: string[] = []) =>
    hindranceOf(
      { found, chosen },
      followed.map((ndiName) => ({ name: 'Mixer', ndiName })),
    );
  expect(of('A (1)')).toBeNull();
  expect(of('A (1)', ['A (1)'])).toBe('followed');
  expect(of('A (1)', ['a (1)'])).toBe('followed');
  expect(of('HERE (1)')).toBe('own');
  expect(of('GONE (1)')).toBe('lost');
  expect([of(null), of('UNKNOWN (1)')]).toEqual(['none-chosen', 'none-chosen']);
});

test('an address that is typed is chosen, and stays while discovery lists others', () => {
  chooseAddress('192.0.2.7:5961');
  chooseAddress('192.0.2.7:5961');
  const { found, chosen } = useLiveSearch.getState();
  expect(chosen).toBe('192.0.2.7:5961');
  const later = withListed(found ?? [], [source('A (1)')]);
  expect(later.map(({ name, isListed, isTyped }) => [name, isListed, isTyped])).toEqual([
    ['192.0.2.7:5961', true, true],
    ['A (1)', true, undefined],
  ]);
  expect(hindranceOf({ found: later, chosen }, [])).toBeNull();
});

test('a sender is listed once, whether its address is typed before discovery finds it or after', () => {
  const listed = [source('A (1)')];
  const after = () => {
    const { found, chosen } = useLiveSearch.getState();
    return [found?.map(({ name }) => name), chosen];
  };
  useLiveSearch.setState({ found: withListed([], listed), chosen: null });
  chooseAddress('10.0.0.2:5961');
  expect(after()).toEqual([['A (1)'], 'A (1)']);

  useLiveSearch.setState({ found: null, chosen: null });
  chooseAddress('10.0.0.2:5961');
  expect(after()).toEqual([['10.0.0.2:5961'], '10.0.0.2:5961']);
  noteListed({ result: listed, problem: null });
  expect(after()).toEqual([['A (1)'], 'A (1)']);
});

test('what is forgotten is gone, and chosen no longer, until it is announced again', () => {
  const found = withListed(withListed([], [source('A (1)'), source('B (2)')]), [source('C (3)')]);
  useLiveSearch.setState({ found, chosen: 'B (2)' });
  forget(['A (1)', 'B (2)']);
  const after = useLiveSearch.getState();
  expect([after.found?.map(({ name }) => name), after.chosen]).toEqual([['C (3)'], null]);
  expect(withListed(after.found ?? [], [source('A (1)')]).map(({ name }) => name)).toEqual([
    'A (1)',
    'C (3)',
  ]);
});

test('a source is found by a part of its name or address', () => {
  const found = withListed(
    [],
    [source('STAGE (left)'), { ...source('B (2)'), addresses: ['192.0.2.9:5961'] }],
  );
  const names = (sought: string) => matching(found, sought).map(({ name }) => name);
  expect(names(' stage ')).toEqual(['STAGE (left)']);
  expect(names('192.0.2')).toEqual(['B (2)']);
  expect(names('')).toEqual(['B (2)', 'STAGE (left)']);
  expect(names('nothing')).toEqual([]);
});
