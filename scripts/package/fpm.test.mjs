import { expect, test } from 'vitest';
import { controlText } from './fpm.mjs';

test("the control file has Debian's fields, the long description set in, and no empty one", () => {
  const values = {
    name: 'whiteline',
    version: '0.1.0',
    architecture: 'amd64',
    maintainer: 'Somebody <somebody@example.org>',
    description: 'Short\n Long,\n\n in two paragraphs',
    d: ['libc6 (>= 2.35)', 'libgtk-3-0t64 | libgtk-3-0'],
    'deb-recommends': [],
    'deb-priority': 'optional',
  };
  expect(controlText(values, 12)).toBe(
    [
      'Package: whiteline',
      'Version: 0.1.0',
      'Architecture: amd64',
      'Maintainer: Somebody <somebody@example.org>',
      'Installed-Size: 12',
      'Depends: libc6 (>= 2.35), libgtk-3-0t64 | libgtk-3-0',
      'Priority: optional',
      'Description: Short',
      ' Long,',
      ' .',
      ' in two paragraphs',
      '',
    ].join('\n'),
  );
});
