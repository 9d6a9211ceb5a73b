import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ChangedSettings } from './changed-settings';

test('a setting has the name that the comparison gave it, and a fact that a run lacks was not recorded', () => {
  const differences = [
    { of: 'parameters', path: 'link', name: 'Uplink rate (Mb/s)', values: ['not set', '100'] } as const,
    { of: 'environment', path: 'ndi.version', name: 'NDI, version', values: ['6.3', ''] } as const,
  ].map(({ values, ...rest }) => ({ ...rest, values: [...values] }));
  const markup = renderToStaticMarkup(<ChangedSettings differences={differences} numbers={[1, 2]} />);
  const cells = [...markup.matchAll(/<td[^>]*>([^<]*)</g)].map(([, text]) => text);
  expect(cells).toEqual([
    'not set',
    expect.stringContaining('1'),
    '100',
    expect.any(String),
    '6.3',
    expect.any(String),
    'not recorded',
    expect.stringContaining('2'),
  ]);
});
