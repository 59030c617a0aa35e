/* C2Y 7.21 */
#ifndef _STDCOUNTOF_H
#define _STDCOUNTOF_H

#define countof _Countof

#endif
