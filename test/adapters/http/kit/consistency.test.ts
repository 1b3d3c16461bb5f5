import { type AddressInfo } from 'node:net';
import express from 'express';
import { isRight, right } from 'fp-ts/Either';
import { positionOfEveryAnswer, sendPosition, waitForMinPosition } from '../../../../adapters/http/kit/consistency';
import { type Position } from '../../../../domain/kernel/event';
import { createCatchUp } from '../../../../projections/catch-up';

const at = (position: number): Position => String(position) as Position;

describe('the position of an answer', () => {
  const positionOf = async (
    headers: Readonly<Record<string, string>>,
    read: (catchUp: ReturnType<typeof createCatchUp>) => void,
  ): Promise<string | null> => {
    const catchUp = createCatchUp();
    catchUp.advance(at(3));
    const app = express();
    app.use(positionOfEveryAnswer(catchUp));
    app.get('/', async (request, response) => {
      setImmediate(() => catchUp.advance(at(5)));
      const result = await waitForMinPosition(catchUp)({ request }, () => {
        read(catchUp);
        return Promise.resolve(right({ body: {} }));
      });
      if (isRight(result)) await sendPosition(catchUp)(response, result.right);
      response.end();
    });
    const server = app.listen(0);
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}`, { headers });
    server.close();
    return answer.headers.get('X-Event-Position');
  };

  it('is not later than what was read, even when the read models advance before it is sent', async () => {
    expect(await positionOf({}, (catchUp) => catchUp.advance(at(7)))).toBe('3');
  });

  it('is not earlier than the requested one', async () => {
    expect(await positionOf({ 'X-Min-Position': '4' }, (catchUp) => catchUp.advance(at(7)))).toBe('5');
  });
});
