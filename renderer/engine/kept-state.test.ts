import { beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { keptAs } from './kept-state';

interface Form {
  format: string;
  streams: string;
  problems: string[];
}

let kept: Map<string, string>;
beforeEach(() => {
  kept = new Map();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
});

const schema = z.object({ format: z.string(), streams: z.string() });

function started() {
  const first: Form = { format: '1280x720@60', streams: '4', problems: [] };
  return create<Form>()(
    persist((): Form => ({ ...first }), keptAs<Form, typeof schema.shape>('form', schema)),
  );
}

test('what was typed is there after a restart, and what was wrong with it is not', () => {
  started().setState({ streams: '9', problems: ['too many'] });
  expect(started().getState()).toEqual({ format: '1280x720@60', streams: '9', problems: [] });
});

test.each([
  ['{"state":{"format":7,"streams":"9"},"version":0}', '9'],
  ['{"state":null,"version":0}', '4'],
  ['{"state":"streams","version":0}', '4'],
])('what another version kept is taken as far as it fits: %s', (text, streams) => {
  kept.set('form', text);
  expect(started().getState()).toEqual({ format: '1280x720@60', streams, problems: [] });
});
