import { expect, test } from 'vitest';
import {
  agentIdSchema,
  agentPermissions,
  askSubject,
  consolePermissions,
  fromHostSubject,
  hostIdSchema,
  presenceSubject,
  previewSubject,
  senderOf,
} from './subjects';

const id = 'a1b2c3d4e5f6g7h8';

test.each(['', 'a', 'A'.repeat(16), `${id}.`, 'a'.repeat(15), '*'.repeat(16), `${'a'.repeat(15)}>`])(
  '“%s” is no id of an agent',
  (text) => {
    expect(agentIdSchema.safeParse(text).success).toBe(false);
  },
);

test.each(['', '*', '>', 'a.b', 'A', 'a'.repeat(33)])('“%s” is no id of a host', (text) => {
  expect(hostIdSchema.safeParse(text).success).toBe(false);
});

test('all subjects of an agent have one sender', () => {
  expect([agentIdSchema.safeParse(id).success, hostIdSchema.safeParse('1-send').success]).toEqual([
    true,
    true,
  ]);
  const subjects = [fromHostSubject(id, '1'), fromHostSubject(id, '2'), presenceSubject(id)];
  expect(new Set(subjects.map(senderOf))).toEqual(new Set([`whiteline.from.${id}`]));
  expect(senderOf(askSubject(id))).toBe(`whiteline.to.${id}`);
});

test.each([askSubject, previewSubject])(
  'a console may ask an agent by %o, and the agent alone hears it',
  (subjectOf) => {
    const subject = subjectOf(id);
    const within = ([pattern]: readonly string[]): string => pattern?.replace('>', '') ?? '';
    expect(subject.startsWith(within(consolePermissions.publish))).toBe(true);
    expect(subject.startsWith(within(agentPermissions(id).subscribe))).toBe(true);
    expect(subject.startsWith(within(agentPermissions(id.replace('a', 'b')).subscribe))).toBe(false);
  },
);
