import { expect, test } from 'vitest';
import { exitCodes } from '../protocol/errors';
import { whiteline } from '../testing/command-here';

test('whiteline nmos doctor names a DNS server that does not answer, and fails', async () => {
  const flags = [
    '--listen',
    '127.0.0.1',
    '--duration',
    '0.5s',
    '--dns-server',
    '127.0.0.1:9',
    '--dns-domain',
    'studio.test',
  ];
  const { exitCode, output } = await whiteline('nmos', 'doctor', ...flags);
  expect(exitCode).toBe(exitCodes.fail);
  expect(output).toMatch(
    /^problem {2}The DNS server 127\.0\.0\.1:9 .+ when asked for the services of studio\.test$/m,
  );
  const { output: json } = await whiteline('nmos', 'doctor', ...flags, '--json');
  expect(JSON.parse(json)).toMatchObject({
    ways: [
      { by: 'multicast', hosts: ['127.0.0.1'] },
      { by: 'unicast', domain: 'studio.test' },
    ],
    findings: expect.arrayContaining([
      expect.objectContaining({ level: 'problem', fault: expect.objectContaining({ code: 'dns-failed' }) }),
    ]),
  });
});

test.each([
  [['--duration', '0s'], 'Expected from 0.5s to 600s for --duration but received 0s'],
  [['--listen', '192.0.2.200'], 'Expected an IPv4 address of an interface that is up for --listen'],
  [
    ['--dns-server', '127.0.0.1', '--dns-domain', 'not a domain'],
    'underscores and dots for --dns-domain but received not a domain. Use for example studio.example.org',
  ],
  [['--dns-domain', 'studio.test'], 'Give both --dns-server and --dns-domain'],
])('%j is refused', async (flags, sentence) => {
  const { exitCode, errors } = await whiteline('nmos', 'doctor', ...flags);
  expect(exitCode).toBe(exitCodes.badInput);
  expect(errors).toContain(sentence);
});
