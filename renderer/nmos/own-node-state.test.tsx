import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { badInput } from '../../app/protocol/errors';
import type { NmosNodeView } from '../../app/protocol/nmos-node';
import { OwnNodeState } from './own-node-state';

const address = 'http://127.0.0.1:8080';
const registry = 'http://192.0.2.9:8010';
const shown = (node: NmosNodeView) => renderToStaticMarkup(<OwnNodeState node={node} />);

test('the state of the node has its address, its registry and what is wrong', () => {
  expect(shown({ is: 'off' })).toBe('<b>off</b>');
  expect(shown({ is: 'searching', address })).toContain(address);
  const registered = { is: 'registered', address, registry, version: 'v1.3', resources: 4 } as const;
  expect(shown({ ...registered, warning: 'Other machines cannot reach it' })).toMatch(
    /8080, at http:\/\/192\.0\.2\.9:8010 as v1\.3\. Other machines cannot reach it$/,
  );
});

test('what is wrong has the name of the setting in the window', () => {
  const problem = badInput('host', 'an address of this machine', '192.0.2.77', 'Use 127.0.0.1');
  const markup = shown({ is: 'problem', address: null, registry: null, isRetried: false, problem });
  expect(markup).toContain('for “Address” but received 192.0.2.77. Use 127.0.0.1');
});
