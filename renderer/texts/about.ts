import type { NoticeId } from '../../app/protocol/about';

/** What the About screen says around the notices. */
export const aboutTexts = {
  title: 'About Whiteline',
  text: 'Puts video streams on a network one by one, follows every frame, and says what each stream costs.',
  licence: 'Whiteline is licensed under the Apache License 2.0.',
  ndi: 'NDI® is a registered trademark of Vizrt NDI AB. More about NDI:',
  runtime: (version: string, path: string) => `${version}, loaded from ${path}`,
  noRuntime: 'No NDI runtime is loaded.',
  ffmpeg: 'Movies that are not Hap are read with FFmpeg where it is installed; it is no part of Whiteline.',
  versions: 'Versions',
  names: { whiteline: 'Whiteline', electron: 'Electron', chrome: 'Chromium', node: 'Node.js' },
  noticesTitle: 'Notices and licences',
  notices: {
    licence: 'Licence',
    notice: 'Notices',
    libraries: 'Libraries',
    ndi: 'NDI runtime',
  } satisfies Record<NoticeId, string>,
  missing: 'This text is not beside this copy of Whiteline.',
  missingRemedy: {
    licence: 'It is the Apache License, Version 2.0, as the Apache Software Foundation has it on its site.',
    notice: 'Install Whiteline again: the file NOTICE is part of it.',
    libraries: 'npm run build writes it, and every package has it.',
    ndi: 'The licences of the NDI runtime come with the runtime, wherever it was installed from.',
  } satisfies Record<NoticeId, string>,
  loading: 'The notices are being read.',
} as const;
