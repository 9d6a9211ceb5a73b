import type { z } from 'zod';
import { createJSONStorage, type PersistOptions, type StateStorage } from 'zustand/middleware';

/** Of tests, which have no page. */
const nothingKept: StateStorage = {
  getItem: () => null,
  setItem: () => undefined,
  removeItem: () => undefined,
};

/**
 * Keeps a part of a store over a reload and a restart, under a name of its own. What was kept and does not fit the schema, as after
 * an update, is left out field by field.
 */
export function keptAs<State extends object, Shape extends z.ZodRawShape>(
  name: string,
  schema: z.ZodObject<Shape>,
): PersistOptions<State, unknown> {
  const known = (kept: unknown): Partial<State> => {
    const given: Record<string, unknown> = typeof kept === 'object' && kept !== null ? { ...kept } : {};
    const fitting = Object.entries(schema.shape).flatMap(([field, of]) => {
      const read = (of as z.ZodType).safeParse(given[field]);
      return read.success ? [[field, read.data]] : [];
    });
    return Object.fromEntries(fitting);
  };
  return {
    name,
    storage: createJSONStorage(() => globalThis.localStorage ?? nothingKept),
    partialize: known,
    merge: (kept, state) => ({ ...state, ...known(kept) }),
  };
}
