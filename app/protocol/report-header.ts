import { z } from 'zod';

/** What stands at the head of a report beside the run: by whom, for whom, of which project. Empty: it is not set. */

const mostCharacters = 200;

/** One line, as it is typed. */
const line = z
  .string()
  .max(mostCharacters)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  .refine((text) => !/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(text))
  .default('');

export const papers = ['a4', 'letter'] as const;

export const reportHeaderSchema = z.strictObject({
  project: line,
  operator: line,
  client: line,
  /** Path of a picture. */
  logo: z.string().min(1).max(4096).nullable().default(null),
  paper: z.enum(papers).default('a4'),
});
export type ReportHeader = z.infer<typeof reportHeaderSchema>;

export const noReportHeader: ReportHeader = reportHeaderSchema.parse({});

const expectedLine = `one line of up to ${mostCharacters} characters`;

/** In words, what may stand in each. */
export const expectedOfReportHeader: Record<keyof ReportHeader, string> = {
  ...{ project: expectedLine, operator: expectedLine, client: expectedLine },
  logo: 'the path of a picture, or null',
  paper: papers.join(' or '),
};
