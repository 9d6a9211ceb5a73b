import { expect, test } from 'vitest';
import type { LiveSource } from '../../app/protocol/console';
import { hindranceOf, withListed } from './live-sources';

function source(name: string, sender: LiveSource['sender'] = 'other'): LiveSource {
  return { name, addresses: ['10.0.0.2:5961'], sender };
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
      followed.map((name) => ({ name })),
    );
  expect(of('A (1)')).toBeNull();
  expect(of('A (1)', ['A (1)'])).toBe('followed');
  expect(of('HERE (1)')).toBe('own');
  expect(of('GONE (1)')).toBe('lost');
  expect([of(null), of('UNKNOWN (1)')]).toEqual(['none-chosen', 'none-chosen']);
});
