import type { Element } from './xml';

/**
 * What the schema of Apache Ant's JUnit files allows (JUnit.xsd of windyroad/JUnit-Schema), the strictest of those that readers go by:
 * each element's attributes with their types, all of which must be there but those with a question mark, and its children in order.
 */
interface Rule {
  attributes: Record<string, keyof typeof types | `${keyof typeof types}?`>;
  /** one: exactly one; any: none or several; choice: at most one of all that are marked so. */
  children: [name: string, times: 'one' | 'any' | 'choice'][];
  /** It holds words. */
  hasText: boolean;
}

const types = {
  string: /^/,
  token: /^/,
  name: /\S/,
  int: /^\s*[+-]?\d{1,9}\s*$/,
  decimal: /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)\s*$/,
  time: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/,
} as const;

const problem: Rule = { attributes: { message: 'string?', type: 'string' }, children: [], hasText: true };
const output: Rule = { attributes: {}, children: [], hasText: true };

const rules: Record<string, Rule> = {
  testsuites: { attributes: {}, children: [['testsuite', 'any']], hasText: false },
  testsuite: {
    attributes: {
      ...{ name: 'name', package: 'token', id: 'int', timestamp: 'time', hostname: 'name' },
      ...{ tests: 'int', failures: 'int', errors: 'int', skipped: 'int?', time: 'decimal' },
    },
    children: [
      ['properties', 'one'],
      ['testcase', 'any'],
      ['system-out', 'one'],
      ['system-err', 'one'],
    ],
    hasText: false,
  },
  properties: { attributes: {}, children: [['property', 'any']], hasText: false },
  property: { attributes: { name: 'name', value: 'string' }, children: [], hasText: false },
  testcase: {
    attributes: { name: 'token', classname: 'token', time: 'decimal' },
    children: [
      ['skipped', 'choice'],
      ['error', 'choice'],
      ['failure', 'choice'],
    ],
    hasText: false,
  },
  skipped: { attributes: {}, children: [], hasText: false },
  ...{ error: problem, failure: problem, 'system-out': output, 'system-err': output },
};

/** What is wrong with a file by that schema; its suites have to be numbered from 0 on, and count what is in them. */
export function junitProblems(document: Element): string[] {
  const root = document.name === 'testsuites' ? [] : [`${document.name} is around all`];
  return [...root, ...problemsOf(document), ...document.children.flatMap(countProblems)];
}

function problemsOf(element: Element): string[] {
  const rule = rules[element.name];
  if (!rule) return [`there is no element ${element.name}`];
  const text = rule.hasText || element.text.trim() === '' ? [] : [`${element.name} holds words`];
  const inner = element.children.flatMap(problemsOf);
  return [...attributeProblems(element, rule), ...childProblems(element, rule), ...text, ...inner];
}

function attributeProblems({ name, attributes }: Element, rule: Rule): string[] {
  const unknown = Object.keys(attributes).filter((key) => !Object.hasOwn(rule.attributes, key));
  const wrong = Object.entries(rule.attributes).flatMap(([key, type]) => {
    const value = attributes[key];
    if (value === undefined) return type.endsWith('?') ? [] : [`${name} has no ${key}`];
    const pattern = Object.entries(types).find(([known]) => known === type.replace('?', ''))?.[1];
    return pattern?.test(value) ? [] : [`${name} has the ${key} "${value}"`];
  });
  return [...unknown.map((key) => `${name} has an attribute ${key}`), ...wrong];
}

function childProblems({ name, children }: Element, rule: Rule): string[] {
  const order = children.map((child) => rule.children.findIndex(([known]) => known === child.name));
  const inOrder = order.every((place, index) => place >= 0 && place >= (order[index - 1] ?? 0));
  const counts = rule.children.map(([known]) => children.filter((child) => child.name === known).length);
  const missing = rule.children.filter(([, times], index) => times === 'one' && counts[index] !== 1);
  const chosen = rule.children.reduce(
    (sum, [, times], index) => sum + (times === 'choice' ? (counts[index] ?? 0) : 0),
    0,
  );
  return [
    ...(inOrder ? [] : [`${name} holds ${children.map((child) => child.name).join(', ')}`]),
    ...missing.map(([known]) => `${name} has not exactly one ${known}`),
    ...(chosen > 1 ? [`${name} has ${chosen} results`] : []),
  ];
}

function countProblems({ attributes, children }: Element, index: number): string[] {
  const cases = children.filter(({ name }) => name === 'testcase');
  const withResult = (result: string): number =>
    cases.filter((one) => one.children.some(({ name }) => name === result)).length;
  const counted = {
    ...{ id: index, tests: cases.length, failures: withResult('failure') },
    ...{ errors: withResult('error'), skipped: withResult('skipped') },
  };
  return Object.entries(counted)
    .filter(([key, number]) => Number(attributes[key] ?? 0) !== number)
    .map(([key, number]) => `suite ${index} says ${key} ${attributes[key]}, and it is ${number}`);
}
