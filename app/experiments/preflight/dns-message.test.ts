import { expect, test } from 'vitest';
import { Random, seeds } from '../../testing/random';
import { dnsAnswer } from './dns-answer.fixture';
import { type DnsRecord, encodeQuestions, parseAnswer, recordTypes } from './dns-message';

const full = 'HOST (one\\.two)._ndi._tcp.local';
const records: DnsRecord[] = [
  { name: '_ndi._tcp.local', type: 'ptr', target: full },
  { name: full, type: 'srv', target: 'host.local', port: 5961 },
  { name: 'host.local', type: 'a', address: '10.0.0.7' },
];

test('questions are written as DNS has them', () => {
  const message = encodeQuestions([{ name: '_ndi._tcp.local', type: recordTypes.ptr }]);
  expect(message.toString('latin1')).toBe(
    '\0\0\0\0\0\x01\0\0\0\0\0\0\x04_ndi\x04_tcp\x05local\0\0\x0c\0\x01',
  );
});

test('answers are read, with dots inside of names', () => {
  expect(parseAnswer(dnsAnswer(records))).toEqual(records);
});

test('names that point to earlier ones are followed, and kinds that we do not know are passed over', () => {
  const question = encodeQuestions([{ name: '_ndi._tcp.local', type: recordTypes.ptr }]);
  const header = Buffer.from([0, 0, 0x84, 0, 0, 1, 0, 2, 0, 0, 0, 0]);
  const text = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 10, 0, 3, 1, 2, 3]);
  const pointer = Buffer.from([0xc0, 12, 0, 12, 0, 1, 0, 0, 0, 10, 0, 6, 3, 0x6f, 0x6e, 0x65, 0xc0, 12]);
  const message = Buffer.concat([header, question.subarray(12), text, pointer]);
  expect(parseAnswer(message)).toEqual([
    { name: '_ndi._tcp.local', type: 'ptr', target: 'one._ndi._tcp.local' },
  ]);
});

test('a name that points to itself, and a question, are no answers', () => {
  const loop = Buffer.from([
    0, 0, 0x84, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, 1, 2, 3, 4,
  ]);
  expect(parseAnswer(loop)).toEqual([]);
  expect(parseAnswer(encodeQuestions([{ name: 'x.local', type: 1 }]))).toEqual([]);
});

test.each(seeds)('foreign bytes end in an answer or in none, seed %i', (seed) => {
  const random = new Random(seed);
  const whole = dnsAnswer(records);
  for (let round = 0; round < 2000; round++) {
    const message = Buffer.from(whole.subarray(0, random.whole(0, whole.length)));
    for (let flips = random.whole(0, 4); flips > 0 && message.length > 0; flips--)
      message[random.whole(0, message.length - 1)] = random.whole(0, 255);
    for (const record of parseAnswer(message)) expect(['a', 'ptr', 'srv']).toContain(record.type);
  }
});
