import { homedir } from 'node:os';
import { expect, test } from 'vitest';
import { ndiConfigurationFolder } from './ndi-configuration-folder';

test('libndi’s settings are the user’s, on Windows the machine’s, and anywhere else where the environment says so', () => {
  expect(ndiConfigurationFolder({}, 'linux')).toBe(`${homedir()}/.ndi`);
  expect(ndiConfigurationFolder({ ProgramData: 'D:\\Data' }, 'win32')).toBe('D:\\Data\\NDI');
  expect(ndiConfigurationFolder({}, 'win32')).toBe('C:\\ProgramData\\NDI');
  expect(ndiConfigurationFolder({ NDI_CONFIG_DIR: '/mine' }, 'win32')).toBe('/mine');
});
