import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { selfSigned } from '../../testing/self-signed';
import { temporaryFolder } from '../../testing/temporary-folder';
import { type JoinFile, joinFileText, parseJoinFile, readJoinFile, serverUrl } from './join-file';

const folder = temporaryFolder();
const good: JoinFile = {
  version: 1,
  servers: ['tls://192.0.2.7:4222', 'tls://[2001:db8::7]:4222', 'tls://render-pc:4222'],
  certificateAuthority: selfSigned.cert,
  user: 'abcdefghij012345',
  secret: 'not for any sentence',
  agent: { id: 'abcdefghij012345', name: 'render-1' },
};

test('a join file is read as it was written, by a newer Whiteline of the same version too', () => {
  expect(parseJoinFile(joinFileText(good), 'a')).toEqual(good);
  expect(parseJoinFile(JSON.stringify({ ...good, later: 1 }), 'a')).toEqual(good);
  expect(parseJoinFile(JSON.stringify({ ...good, agent: null }), 'a').agent).toBeNull();
});

test('an address of IPv6 stands in brackets', () => {
  expect(serverUrl('2001:db8::7', 4222)).toBe('tls://[2001:db8::7]:4222');
});

test.each([
  [{ version: 2 }, 'The join file a.json has version 2, and this Whiteline reads version 1'],
  [{ version: 'x' }, 'Expected version 1 as version in the join file a.json but received x'],
  [
    { servers: [] },
    'Expected a list of servers such as tls://192.0.2.7:4222 as servers in the join file a.json',
  ],
  [
    { servers: ['nats://192.0.2.7:4222'] },
    'as servers in the join file a.json but received ["nats://192.0.2.7',
  ],
  [{ servers: ['tls://192.0.2.7'] }, 'as servers in the join file a.json'],
  [{ certificateAuthority: 'x' }, 'Expected the certificate of an authority as PEM as certificateAuthority'],
  [{ certificateAuthority: `${selfSigned.cert}\n${selfSigned.cert}` }, 'as certificateAuthority'],
  [{ certificateAuthority: selfSigned.cert.replace('MIIB', 'XXXX') }, 'as certificateAuthority'],
  [{ user: '' }, 'as user in the join file a.json but received nothing'],
  [
    { agent: { id: 'A', name: 'a' } },
    'Expected null, or an agent with its name and the id that is its user as agent',
  ],
  [
    { agent: { id: 'b1b2c3d4e5f6g7h8', name: 'a' } },
    'the id that is its user as agent in the join file a.json',
  ],
  [{ user: 'console' }, 'the id that is its user as agent in the join file a.json'],
  [{ agent: { id: good.user, name: 'a b' } }, 'as agent in the join file a.json'],
])('%j is refused', (change, words) => {
  expect(() => parseJoinFile(JSON.stringify({ ...good, ...change }), 'a.json')).toThrow(words);
});

test('a secret that is refused is not repeated', () => {
  const long = 'secret'.repeat(100);
  expect(() => parseJoinFile(JSON.stringify({ ...good, secret: long }), 'a.json')).toThrow(
    /^Expected a text of 1 to 256 characters as secret in the join file a\.json but received another value$/,
  );
});

test.each(['', 'null', '[]', '{', 'a text'])('the text “%s” is no join file', (text) => {
  const path = join(folder, 'no-join-file');
  writeFileSync(path, text);
  expect(() => readJoinFile(path)).toThrow(
    `${path} is no join file: whiteline fleet invite has not written it`,
  );
});

test('a file that is not there, or is none, is named', () => {
  const absent = join(folder, 'absent');
  expect(() => readJoinFile(absent)).toThrow(`The join file ${absent} is not there`);
  expect(() => readJoinFile(folder)).toThrow(`The join file ${folder} cannot be read (EISDIR)`);
});
