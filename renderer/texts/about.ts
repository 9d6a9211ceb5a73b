import type { NoticeId } from '../../app/protocol/about';

/** What the About screen says around the notices. */
export const aboutTexts = {
  title: 'About Whiteline',
  text: 'Puts video streams on a network one by one, follows every frame, and says what each stream costs.',
  licence: 'Whiteline is licensed under the Apache License 2.0.',
  ndi: 'NDI® is a registered trademark of Vizrt NDI AB. More about NDI:',
  runtime: (version: string, path: string) => `${version}, loaded from ${path}`,
  noRuntime: 'No NDI runtime is loaded.',
  ffmpeg:
    'Whiteline reads movies other than Hap with FFmpeg, if it is installed. FFmpeg is not part of Whiteline.',
  versions: 'Versions',
  names: { whiteline: 'Whiteline', electron: 'Electron', chrome: 'Chromium', node: 'Node.js' },
  noticesTitle: 'Notices and licences',
  notices: {
    licence: 'Licence',
    notice: 'Notices',
    libraries: 'Libraries',
    ndi: 'NDI runtime',
  } satisfies Record<NoticeId, string>,
  missing: 'This copy of Whiteline lacks this text.',
  missingRemedy: {
    licence: 'It is the Apache License, Version 2.0, from the site of the Apache Software Foundation.',
    notice: 'Install Whiteline again: the file NOTICE is part of it.',
    libraries: 'npm run build writes it; every package includes it.',
    ndi: 'The licences of the NDI runtime come with the runtime.',
  } satisfies Record<NoticeId, string>,
  loading: 'Reading the notices…',
} as const;
