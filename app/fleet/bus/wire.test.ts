import { expect, test } from 'vitest';
import { WhitelineError } from '../../protocol/errors';
import { mutated } from '../../testing/fuzz/mutate';
import { cases, Random, seeds } from '../../testing/random';
import { encodeValue } from './codec';
import { answerPayload, valueOfAnswer } from './wire';

const subject = 'whiteline.to.a.ask';

async function answerTo(answer: (value: unknown) => Promise<unknown>): Promise<unknown> {
  const { payload } = await answerPayload(encodeValue({ question: 1 }), answer);
  return valueOfAnswer(payload, subject);
}

test.each([[undefined], [null], [0], [{ fields: [1] }], [new Float64Array([1])]])(
  'the answer %j comes back',
  async (value) => {
    await expect(answerTo(async () => value)).resolves.toEqual(value);
  },
);

test('a problem comes back with its fields', async () => {
  const others = [{ code: 'BAD_INPUT', message: 'b' }] as const;
  const problem = {
    code: 'BAD_INPUT',
    message: 'a',
    field: 'x',
    value: '1',
    remedy: 'r',
    others: [...others],
  } as const;
  const answer = answerTo(async () => {
    throw new WhitelineError({ ...problem, others: [...others] });
  });
  await expect(answer).rejects.toMatchObject(problem);
});

test('an answer that no message can hold is a problem, however long that is', async () => {
  await expect(answerTo(async () => () => 1)).rejects.toMatchObject({ code: 'INTERNAL' });
  await expect(answerTo(async () => new Uint8Array(600_000))).rejects.toThrow(/512000 are allowed/);
  const long = answerTo(async () => {
    throw new Error('x'.repeat(600_000));
  });
  await expect(long).rejects.toMatchObject({ code: 'INTERNAL', message: 'x'.repeat(1000) });
});

test('a request that cannot be read is refused by name, and not handed on', async () => {
  let asked = 0;
  const { payload, isRefused } = await answerPayload(Uint8Array.of(0xc1), async () => asked++);
  expect([isRefused, asked]).toEqual([true, 0]);
  expect(() => valueOfAnswer(payload, subject)).toThrow(expect.objectContaining({ code: 'BAD_INPUT' }));
});

test('a code of a newer Whiteline is read as a mistake inside it', () => {
  const payload = encodeValue({ problem: { code: 'NEWER', message: 'x' } });
  expect(() => valueOfAnswer(payload, subject)).toThrow(
    expect.objectContaining({ code: 'INTERNAL', message: 'x' }),
  );
});

test.each([
  ['no MessagePack', Uint8Array.of(0xc1)],
  ['neither value nor problem', encodeValue({ more: 1 })],
  ['both', encodeValue({ value: 1, problem: { code: 'INTERNAL', message: 'x' } })],
  ['a problem without words', encodeValue({ problem: { code: 'INTERNAL' } })],
  ['a number', encodeValue(1)],
])('an answer that is %s cannot be read', (_, payload) => {
  expect(() => valueOfAnswer(payload, subject)).toThrow(/The answer to whiteline\.to\.a\.ask cannot be read/);
});

const [seed] = seeds;

test(`whatever an agent answers, a value or a WhitelineError comes of it (seed ${seed})`, () => {
  const good = [
    { value: { a: [1] } },
    {
      problem: { code: 'BAD_INPUT', message: 'a', field: 'b', others: [{ code: 'INTERNAL', message: 'c' }] },
    },
  ];
  for (let index = 0; index < cases(500, 50_000); index++) {
    const random = new Random(seed + index);
    const payload = payloadOf(mutated(random.pick(good), random));
    if (!payload) continue;
    expect(isReadOrRefused(payload), `WHITELINE_SEED=${seed + index}`).toBe(true);
  }
});

function isReadOrRefused(payload: Uint8Array): boolean {
  try {
    valueOfAnswer(payload, subject);
    return true;
  } catch (error) {
    return error instanceof WhitelineError;
  }
}

/** Null for what no message can hold. */
function payloadOf(value: unknown): Uint8Array | null {
  try {
    return encodeValue(value);
  } catch {
    return null;
  }
}
