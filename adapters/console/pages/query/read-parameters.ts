import { type JsonText, jsonText } from '../../api/queries';

/** Checks parameters, an object as JSON text, which is sent unchanged; throws if invalid. */
export const readParameters = (text: string): JsonText => {
  if (text.trim() === '') return jsonText('{}');
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new Error(
      `Parameters: ${error instanceof Error ? error.message : 'not JSON'}. Write an object, such as {"id": 10}.`,
    );
  }
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return jsonText(text);
  throw new Error('Parameters: expected an object, such as {"id": 10}.');
};
