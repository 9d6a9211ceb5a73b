import { expect, test } from 'vitest';
import { configurationText } from './server-configuration';

test('an agent may say and hear what is its own, the console what it asks and what agents say, and nobody else anything', () => {
  const [id, secret] = ['abcdefghij012345', 'a'.repeat(43)];
  const text = configurationText(
    { listen: '0.0.0.0', port: 4222, identityFile: '/a "b"/server.pem', consoleSecret: 'b'.repeat(43) },
    [{ version: 1, id, name: 'render-1', secret, address: null, invitedAt: '2026-11-29T08:00:00Z' }],
  );
  expect(JSON.parse(text)).toEqual({
    ...{ server_name: 'whiteline-fleet', host: '0.0.0.0', port: 4222, max_payload: 1_048_576 },
    ...{ no_system_account: true, logtime: false },
    tls: { cert_file: '/a "b"/server.pem', key_file: '/a "b"/server.pem', timeout: 10 },
    authorization: {
      timeout: 11,
      users: [
        {
          ...{ user: 'console', password: 'b'.repeat(43) },
          permissions: {
            publish: ['whiteline.to.>'],
            subscribe: ['whiteline.from.>', '_INBOX_console.>'],
          },
        },
        {
          ...{ user: id, password: secret },
          permissions: {
            publish: [`whiteline.from.${id}.>`],
            subscribe: [`whiteline.to.${id}.>`, `whiteline.from.${id}.claim`],
            allow_responses: { max: 64, expires: '1m' },
          },
        },
      ],
    },
  });
});
